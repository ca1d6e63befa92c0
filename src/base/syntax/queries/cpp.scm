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
