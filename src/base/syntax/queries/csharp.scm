(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type_alias
(method_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @constructor
(property_declaration type: (_) @type name: (identifier) @name) @field
(event_declaration name: (identifier) @name) @field
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @field
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind (_)? @value)))
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @package)
(base_list [(identifier) (qualified_name) (generic_name)] @extends)
(invocation_expression function: (_) @call)
(object_creation_expression type: (_) @new)
(using_directive) @import
