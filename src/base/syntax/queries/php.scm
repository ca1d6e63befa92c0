(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
(const_declaration (const_element (name) @name)) @constant
(assignment_expression left: (variable_name) @bind right: (_) @value)
(base_clause (_) @extends)
(class_interface_clause (_) @implements)
(use_declaration (_) @implements)
(function_call_expression function: (_) @call)
(member_call_expression name: (_) @last) @invocation
(nullsafe_member_call_expression name: (_) @last) @invocation
(scoped_call_expression name: (_) @last) @invocation
(object_creation_expression [(name) (qualified_name)] @new)
(namespace_use_declaration) @import
(namespace_definition name: (_) @package)
(include_expression (_) @import)
(include_once_expression (_) @import)
(require_expression (_) @import)
(require_once_expression (_) @import)
