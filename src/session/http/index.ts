export type { HttpOptions, HttpTransport } from "./http-transport.ts";
export { type HttpTarget, openHttpTransport } from "./open-transport.ts";
