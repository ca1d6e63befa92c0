(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(class name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name value: (_) @type) @type_alias
(enum_declaration name: (identifier) @name) @enum
(enum_body (property_identifier) @name @constant)
(enum_assignment name: (_) @name) @constant
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(function_signature name: (identifier) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name type: (type_annotation (_) @type)? value: (_)? @value) @field
(property_signature name: (_) @name type: (type_annotation (_) @type)?) @field
(extends_clause value: (_) @extends)
(implements_clause (_) @implements)
(extends_type_clause type: (_) @extends)
(variable_declarator name: (identifier) @bind type: (type_annotation (_) @type))
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)?) @field
(decorator (_) @decorator)
