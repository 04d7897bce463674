// serve: our own MCP Events server, to run against.
