(function_definition declarator: (_) @declarator) @function
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(enumerator name: (identifier) @name) @constant
(type_definition declarator: (type_identifier) @name) @type_alias
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (type_identifier) @name))) @type_alias
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type_alias
(preproc_def name: (identifier) @name) @constant
(preproc_function_def name: (identifier) @name) @macro
(declaration declarator: (init_declarator declarator: [(identifier) (pointer_declarator) (array_declarator)] @declarator value: (_)? @value)) @variable
(declaration declarator: [(identifier) (pointer_declarator declarator: (identifier)) (array_declarator)] @declarator) @variable
(declaration type: (type_identifier) @type declarator: (_) @bind)
(call_expression function: (_) @call)
(initializer_pair value: (identifier) @pointer)
(initializer_list (identifier) @pointer)
(argument_list (identifier) @pointer)
(pointer_expression argument: (identifier) @pointer)
(assignment_expression right: (identifier) @pointer)
(init_declarator value: (identifier) @pointer)
(preproc_include path: (_) @import)
