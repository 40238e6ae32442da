import { dev, until } from './stack.js';
import { codeOf, linksTo } from './browser.js';

/** A person's browser session, without a browser: sends the cookie and the CSRF token of the page's forms. */
export class WebSession {
  private cookie = '';

  /** Signs in by a link. The session may still need its second factor. */
  static async start(email: string): Promise<WebSession> {
    const session = new WebSession();
    await session.signIn(email);
    return session;
  }

  /** Requests a link, and uses it in this session. */
  async signIn(email: string, returnTo?: string): Promise<Response> {
    const before = (await linksTo(email)).length;
    await this.post('/sign-in', { email, ...(returnTo && { return_to: returnTo }) });
    const link = await until(async () => {
      const links = await linksTo(email);
      return links.length > before && links.at(-1)!;
    });
    return this.post('/sign-in/link', { token: new URL(link).searchParams.get('token')! });
  }

  get(path: string): Promise<Response> {
    return this.send(path, {});
  }

  /** Submits a form as a browser would, with the CSRF token of the page at `from`, if that has one. */
  async post(path: string, form: Record<string, string> = {}, from = '/account'): Promise<Response> {
    const csrf = this.cookie && (await this.csrf(from));
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...(csrf && { csrf }) }),
      headers: { origin: dev.baseUrl },
    });
  }

  /** The key of the authenticator that the setup page offers. */
  async offeredKey(): Promise<string> {
    const page = await this.textOf('/sign-in/authenticator');
    const key = /id="key">([^<]+)</.exec(page)?.[1];
    if (!key) throw new Error(`no key on ${page}`);
    return key.replaceAll(' ', '');
  }

  /** Enrols an authenticator. Returns its key. */
  async enrol(): Promise<string> {
    const key = await this.offeredKey();
    const { status } = await this.confirm(key);
    if (status !== 200) throw new Error(`enrolment returned ${status}`);
    return key;
  }

  /** Submits the current code of an authenticator on its setup page. */
  confirm(key: string): Promise<Response> {
    return this.post('/sign-in/authenticator', { code: codeOf(key) }, '/sign-in/authenticator');
  }

  /** The text of a page. */
  async textOf(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  /** Follows redirects within the service. */
  async follow(path: string): Promise<{ path: string; response: Response }> {
    const response = await this.get(path);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || !location) return { path, response };
    const url = new URL(location, dev.baseUrl);
    return this.follow(url.pathname + url.search);
  }

  private async csrf(from: string): Promise<string> {
    const { response } = await this.follow(from);
    return /name="csrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? '';
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(dev.baseUrl + path, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(this.cookie && { cookie: this.cookie }) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';');
      if (pair!.startsWith('holdfast=')) this.cookie = pair === 'holdfast=' ? '' : pair!;
    }
    return response;
  }
}
