(class_declaration "interface" (type_identifier) @name) @interface
(class_declaration "enum" (type_identifier) @name) @enum
(class_declaration "class" (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(companion_object (type_identifier) @name) @class
(enum_entry (simple_identifier) @name) @constant
(function_declaration (simple_identifier) @name) @function
(secondary_constructor) @constructor_unnamed
(property_declaration (variable_declaration (simple_identifier) @name (user_type)? @type)) @variable
(class_parameter (simple_identifier) @name (user_type)? @type) @field
(type_alias (type_identifier) @name) @type_alias
(delegation_specifier [(constructor_invocation (user_type) @extends) (user_type) @extends])
(call_expression . (_) @call)
(import_header) @import
(package_header (identifier) @package)
