export {
	connectFault,
	exchangeFault,
	plainToTlsFault,
	proxyFault,
} from "./connection-faults.ts";
export {
	type Connector,
	type ConnectorOptions,
	makeConnector,
} from "./connector.ts";
export { settled } from "./dial.ts";
export {
	type NameServer,
	type Names,
	openNames,
	parseNameServer,
} from "./name-server.ts";
export {
	bareHost,
	type Environment,
	findProxy,
	isLoopback,
	type ProxyServer,
} from "./proxy.ts";
export { safeTarget, safeUrl } from "./safe-url.ts";
export { type ExchangeLimit, openLimit } from "./time-limit.ts";
