(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @constant
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name type: (_) @type) @type_alias
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name type: (_) @type) @variable
(mod_item name: (identifier) @name) @module
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name type: (_) @type) @field
(impl_item trait: (_)? @implements type: (_) @receiver) @impl
(trait_bounds (_) @implements)
(let_declaration pattern: (identifier) @bind type: (_)? @type value: (_)? @value)
(call_expression function: (_) @call)
(macro_invocation macro: (_) @call)
(struct_expression name: (_) @new)
(use_declaration argument: (_) @import)
(extern_crate_declaration) @import
