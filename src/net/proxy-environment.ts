/** Where the relay listens inside the sandbox, whose loopback nobody else uses. */
export const RELAY_PORT = 3128;

/** For programs in the sandbox. One that does not read these has no network: there is no other way out. */
export function proxyEnvironment(port: number = RELAY_PORT): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`;
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    no_proxy: "",
    NO_PROXY: "",
    NODE_USE_ENV_PROXY: "1",
  };
}
