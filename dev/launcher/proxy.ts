/**
 * The headers that make a launcher's request look as if it had come over https through the trusted proxies,
 * each of which adds an entry. Without them the API refuses the launcher's plain HTTP when `ALLOW_HTTP` is
 * false. There are none without proxies, and none for `/internal/`, which no proxy forwards.
 */
export function proxyHeaders(environment: Record<string, string>): Record<string, string> {
  const proxies = Number(environment.TRUSTED_PROXIES || 0);
  if (proxies === 0) return {};
  const entries = (value: string): string => Array(proxies).fill(value).join(', ');
  return { 'X-Forwarded-For': entries('127.0.0.1'), 'X-Forwarded-Proto': entries('https') };
}
