(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(compact_constructor_declaration name: (identifier) @name) @constructor
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @field
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @constant
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind value: (_)? @value))
(superclass (_) @extends)
(super_interfaces (type_list (_) @implements))
(extends_interfaces (type_list (_) @extends))
(method_invocation name: (identifier) @last) @invocation
(object_creation_expression type: (_) @new)
(import_declaration) @import
(package_declaration [(identifier) (scoped_identifier)] @package)
