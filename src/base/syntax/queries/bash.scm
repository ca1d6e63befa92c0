(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(program (list (variable_assignment name: (variable_name) @name) @variable))
(command name: (command_name) @call)
(command name: (command_name) @word argument: (_) @import (#any-of? @word "source" "."))
