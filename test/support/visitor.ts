/**
 * A browser without scripts: it keeps the cookies of each host, and follows redirects and pages that
 * redirect.
 */
export class Visitor {
  private readonly jars = new Map<string, Map<string, string>>();

  /** A copy with the same cookies. */
  copy(): Visitor {
    const copy = new Visitor();
    for (const [host, jar] of this.jars) copy.jars.set(host, new Map(jar));
    return copy;
  }

  /** Forgets the cookies of an origin. */
  forget(origin: string): void {
    this.jars.delete(new URL(origin).host);
  }

  /** One request, with the cookies of its host. */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { host, origin } = new URL(url);
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.method === 'POST' && { origin }), ...init.headers, ...(cookie && { cookie }) };
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: headers as Record<string, string>,
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';') as [string];
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /**
   * Follows redirects, including immediate page refreshes, until there is none or one leads to an address
   * that `stops` accepts.
   */
  async follow(
    url: string,
    stops: (url: string) => boolean = () => false,
  ): Promise<{ url: string; response: Response; html: string }> {
    return this.goOn(url, await this.send(url), stops);
  }

  /** Submits the form of a page: its hidden fields and the given ones. */
  async submit(
    page: { url: string; html: string },
    action: string,
    fields: Record<string, string> = {},
    stops?: (url: string) => boolean,
  ) {
    const start = page.html.indexOf(`action="${action}"`);
    if (start === -1)
      throw new Error(`no form ${action} on ${page.url}: ${page.html.slice(page.html.indexOf('<h1'))}`);
    const form = page.html.slice(start, page.html.indexOf('</form>', start));
    const body = new URLSearchParams();
    for (const [, name, value] of form.matchAll(
      /<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g,
    ))
      body.append(name!, unescaped(value!));
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const url = new URL(unescaped(action), page.url).href;
    const { origin } = new URL(page.url);
    return this.goOn(url, await this.send(url, { method: 'POST', body, headers: { origin } }), stops);
  }

  private async goOn(
    url: string,
    response: Response,
    stops: (url: string) => boolean = () => false,
  ): Promise<{ url: string; response: Response; html: string }> {
    const html = await response.clone().text();
    const location =
      response.headers.get('location') ?? /http-equiv="refresh" content="0;url=([^"]*)"/.exec(html)?.[1];
    if (!location) return { url, response, html };
    const next = new URL(unescaped(location), url).href;
    return stops(next) ? { url: next, response, html } : this.follow(next, stops);
  }
}

const unescaped = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
