-- For wrk: sends the requests of a file one after the other, each once, from the one with a number on. All have the
-- same length.
--   wrk … -s deliveries.lua URL -- FILE LENGTH FROM
function init(args)
	length = tonumber(args[2])
	file = assert(io.open(args[1], "rb"))
	file:seek("set", length * tonumber(args[3]))
end

function request()
	return assert(file:read(length), "all deliveries are sent: make more")
end
