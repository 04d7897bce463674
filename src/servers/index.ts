export {
	parseServerCommand,
	parseServerUrl,
	type ServerAddress,
} from "./resolve-server.ts";
