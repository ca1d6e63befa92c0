export const go = `
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier)? @bind type: (_) @receiver)) name: (field_identifier) @name) @method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type)) @struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @interface)
(type_declaration (type_spec name: (type_identifier) @name type: (_) @type) @type_alias)
(type_alias name: (type_identifier) @name type: (_) @type) @type_alias
(method_elem name: (field_identifier) @name) @method
(field_declaration name: (field_identifier) @name type: (_) @type) @field
(field_declaration !name type: (_) @embeds)
(interface_type (type_elem (type_identifier) @embeds))
(const_spec name: (identifier) @name) @constant
(var_spec name: (identifier) @name type: (_)? @type value: (expression_list . (_) @value)?) @variable
(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . (_) @value))
(call_expression function: (_) @call)
(composite_literal type: (_) @new)
(return_statement (expression_list . (_) @result))
(import_spec) @import
(package_clause (package_identifier) @package)
`;

export const rust = `
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @member
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
`;

const cShared = `
(function_definition declarator: (_) @declarator) @function
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(enumerator name: (identifier) @name) @member
(type_definition declarator: (type_identifier) @name) @type_alias
(preproc_def name: (identifier) @name) @constant
(preproc_function_def name: (identifier) @name) @macro
(declaration declarator: (init_declarator declarator: [(identifier) (pointer_declarator) (array_declarator)] @declarator value: (_)? @value)) @variable
(declaration declarator: [(identifier) (pointer_declarator declarator: (identifier)) (array_declarator)] @declarator) @variable
(declaration type: (type_identifier) @type declarator: (_) @bind)
(call_expression function: (_) @call)
(preproc_include path: (_) @import)
`;

export const c = `${cShared}
(field_declaration type: (_) @type declarator: (_) @declarator) @field
(declaration declarator: (function_declarator) @declarator) @prototype
(declaration declarator: (pointer_declarator declarator: (function_declarator)) @declarator) @prototype
`;

export const cpp = `${cShared}
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @struct
(namespace_definition name: (_) @name) @module
(alias_declaration name: (type_identifier) @name) @type_alias
(concept_definition name: (identifier) @name) @interface
(field_declaration type: (_) @type declarator: [(field_identifier) (pointer_declarator) (array_declarator) (reference_declarator)] @declarator) @field
(field_declaration declarator: (function_declarator) @declarator) @prototype
(field_declaration declarator: (pointer_declarator declarator: (function_declarator)) @declarator) @prototype
(field_declaration declarator: (reference_declarator (function_declarator)) @declarator) @prototype
(declaration declarator: (function_declarator) @declarator) @prototype
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)
(new_expression type: (_) @new)
(using_declaration) @using
`;
