(field_declaration type: (_) @type declarator: (_) @declarator) @field
(declaration declarator: (function_declarator) @declarator) @prototype
(declaration declarator: (pointer_declarator declarator: (function_declarator)) @declarator) @prototype
