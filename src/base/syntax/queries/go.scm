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
