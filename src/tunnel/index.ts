export { parseTunnelCommand, type TunnelCommand } from "./command.ts";
export {
	openTunnel,
	type Tunnel,
	type TunnelPieces,
	type TunnelVia,
} from "./open-tunnel.ts";
