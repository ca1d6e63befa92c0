export const java = `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @member
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
`;

export const csharp = `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @member
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
`;

export const kotlin = `
(class_declaration "interface" (type_identifier) @name) @interface
(class_declaration "enum" (type_identifier) @name) @enum
(class_declaration "class" (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(companion_object (type_identifier) @name) @class
(enum_entry (simple_identifier) @name) @member
(function_declaration (simple_identifier) @name) @function
(secondary_constructor) @constructor_unnamed
(property_declaration (variable_declaration (simple_identifier) @name (user_type)? @type)) @variable
(class_parameter (simple_identifier) @name (user_type)? @type) @field
(type_alias (type_identifier) @name) @type_alias
(delegation_specifier [(constructor_invocation (user_type) @extends) (user_type) @extends])
(call_expression . (_) @call)
(import_header) @import
(package_header (identifier) @package)
`;

export const swift = `
(class_declaration declaration_kind: "class" name: (_) @name) @class
(class_declaration declaration_kind: "actor" name: (_) @name) @class
(class_declaration declaration_kind: "struct" name: (_) @name) @struct
(class_declaration declaration_kind: "enum" name: (_) @name) @enum
(class_declaration declaration_kind: "extension" name: (_) @receiver) @impl
(protocol_declaration name: (_) @name) @interface
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @method
(init_declaration name: "init" @name) @constructor
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(enum_entry name: (simple_identifier) @name) @member
(typealias_declaration name: (type_identifier) @name) @type_alias
(inheritance_specifier inherits_from: (_) @extends)
(call_expression . (_) @call)
(import_declaration) @import
`;
