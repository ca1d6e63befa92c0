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
(enum_entry name: (simple_identifier) @name) @constant
(typealias_declaration name: (type_identifier) @name) @type_alias
(inheritance_specifier inherits_from: (_) @extends)
(call_expression . (_) @call)
(import_declaration) @import
