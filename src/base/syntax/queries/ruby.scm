(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(class name: (_) @name) @class
(module name: (_) @name) @module
(class superclass: (superclass (_) @extends))
(assignment left: (constant) @name right: (_)? @value) @constant
(assignment left: (identifier) @bind right: (_) @value)
(alias name: (_) @name) @method
(call method: (_) @last) @invocation
(body_statement (identifier) @call)
(call method: (identifier) @word (#any-of? @word "require" "require_relative" "autoload" "load")) @import
(call method: (identifier) @word arguments: (argument_list (_) @implements) (#any-of? @word "include" "extend" "prepend"))
(call method: (identifier) @word arguments: (argument_list (simple_symbol) @name @field) (#any-of? @word "attr_accessor" "attr_reader" "attr_writer"))
