(class_declaration name: (identifier) @name) @class
(class name: (identifier) @name) @class
(class_heritage (_) @extends)
(field_definition property: (_) @name value: (_)? @value) @field
