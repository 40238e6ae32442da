import type { Browser, BrowserContext } from 'playwright-core';
import { hashSecret, newSecret } from '../../db/secrets.js';
import { totpCode, linksTo, newPage, type WatchedPage } from './browser.js';
import { storeSignInLinks } from './rows.js';
import { db, dev } from './stack.js';
import { until } from './until.js';

type FormFields = Record<string, string | string[]>;

const unescaped = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The banner on the page that a response redirects to. */
export function readNotice(response: Response): string | null {
  const set = response.headers.getSetCookie().find((cookie) => cookie.startsWith('holdfast_notice='));
  return set ? Buffer.from(set.split(/[=;.]/)[1]!, 'base64url').toString() : null;
}

/**
 * Stores a sign-in link for a person with a profile, whether they may sign in or not. With `accepts` they
 * have accepted their memberships. Returns its token.
 */
async function storeLink(email: string, accepts: boolean): Promise<string> {
  const token = newSecret();
  if (accepts)
    await db.query(
      `UPDATE members SET accepted_at = now()
        WHERE accepted_at IS NULL AND status NOT IN ('invited', 'archived')
         AND profile_id = (SELECT id FROM profiles WHERE email = $1)`,
      [email],
    );
  const [profile] = await db.query(`SELECT id FROM profiles WHERE email = $1`, [email]);
  await storeSignInLinks(db, [
    {
      email: email.toLowerCase(),
      profile_id: profile.id,
      token_hash: hashSecret(token),
      return_to: '/dashboard',
    },
  ]);
  return token;
}

/** A page in a new browser context in which a person is signed in by a link. */
export const openSignedIn = async (browser: Browser, email: string): Promise<WatchedPage> =>
  (await WebSession.start(email)).openPage(browser);

/** A person's browser session, without a browser: sends the cookie and the CSRF token of the page's forms. */
export class WebSession {
  private cookie = '';
  private devices = '';
  /** For a login that was started at an identity provider. */
  private login = '';
  private userAgent = 'node';
  private on = dev.baseUrl;
  private token?: { cookie: string; csrf: string };

  /** Signs in with a link that is stored instead of mailed. The session may still need its second factor. */
  static async start(email: string, { accepts = true } = {}): Promise<WebSession> {
    const session = new WebSession();
    await session.startAgain(email, { accepts });
    return session;
  }

  /** Signs in with another link, with this client's cookies, and from now on with this `User-Agent`. */
  async startAgain(email: string, { accepts = true, userAgent = this.userAgent } = {}): Promise<void> {
    this.userAgent = userAgent;
    const { status } = await this.post('/sign-in/link', { token: await storeLink(email, accepts) });
    if (status !== 302) throw new Error(`the sign-in of ${email} returned ${status}`);
  }

  /** Another client with the same cookie, by default for the same process. */
  copy(on = this.on): WebSession {
    const copy = new WebSession();
    copy.on = on;
    copy.cookie = this.cookie;
    return copy;
  }

  /** A page in a new browser context with this session. */
  async openPage(browser: Browser, baseUrl = dev.baseUrl): Promise<WatchedPage> {
    const page = await newPage(browser);
    await this.takeTo(page, baseUrl);
    return page;
  }

  /** Adds the session to a browser context, or to that of a page. */
  async takeTo(to: WatchedPage | BrowserContext, baseUrl = dev.baseUrl): Promise<void> {
    const [name, value] = this.cookie.split('=') as [string, string];
    const context = 'context' in to ? to.context() : to;
    await context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' }]);
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

  /** Submits a form as a browser would, with the CSRF token of the page at `from`, if it has one. */
  async post(path: string, form: Record<string, string> = {}, from = '/account'): Promise<Response> {
    const csrf = this.cookie && (await this.csrf(from));
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...(csrf && { csrf }) }),
      headers: { origin: dev.baseUrl },
    });
  }

  /**
   * Submits a page's form: its hidden fields and the given ones. Its action is below the page's workspace.
   */
  async submit(page: string, action: string, fields: FormFields = {}): Promise<Response> {
    return this.submitFormByAction(await this.getText(page), action, fields);
  }

  /** Presses the button on a page that asks for a confirmation. */
  async confirmForm(response: Response): Promise<Response> {
    const html = await response.text();
    const [, action] =
      /<div class="card confirmation">[^]*?<form method="post" action="([^"]+)"/.exec(html) ?? [];
    if (!action) throw new Error(`no confirmation: ${response.status} ${html}`);
    return this.submitFormByAction(html, action, {});
  }

  /** Submits the form with this action on a page. */
  submitFormByAction(html: string, action: string, fields: FormFields): Promise<Response> {
    const start = html.indexOf(`action="${action}"`);
    if (start === -1) throw new Error(`no form ${action} in ${html}`);
    const form = html.slice(start, html.indexOf('</form>', start));
    const body = new URLSearchParams();
    for (const [input] of form.matchAll(/<input type="hidden"[^>]*>/g)) {
      const attributeValue = (attribute: string) =>
        unescaped(new RegExp(`${attribute}="([^"]*)"`).exec(input)?.[1] ?? '');
      body.append(attributeValue('name'), attributeValue('value'));
    }
    for (const [name, value] of Object.entries(fields))
      for (const each of [value].flat()) body.append(name, each);
    return this.send(action, { method: 'POST', body, headers: { origin: dev.baseUrl } });
  }

  /** Submits these fields, including the CSRF token of their page. */
  submitFields(action: string, body: URLSearchParams | FormData | string): Promise<Response> {
    const encoded = typeof body === 'string' && { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send(action, { method: 'POST', body, headers: { origin: dev.baseUrl, ...encoded } });
  }

  /** The authenticator key offered on the setup page. */
  async offeredKey(): Promise<string> {
    const page = await this.getText('/sign-in/authenticator');
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

  /** Submits an authenticator's current code on its setup page. */
  confirm(key: string): Promise<Response> {
    return this.post('/sign-in/authenticator', { code: totpCode(key) }, '/sign-in/authenticator');
  }

  /** The text of a page. */
  async getText(path: string): Promise<string> {
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

  /** A page's CSRF token. It is the session's, so it is read once. */
  private async csrf(from: string): Promise<string> {
    if (this.token?.cookie === this.cookie) return this.token.csrf;
    const { response } = await this.follow(from);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    if (csrf) this.token = { cookie: this.cookie, csrf };
    return csrf;
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.on + path, {
      ...init,
      redirect: 'manual',
      headers: {
        ...init.headers,
        'user-agent': this.userAgent,
        cookie: [this.cookie, this.devices, this.login].filter(Boolean).join('; '),
      },
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';');
      if (pair!.startsWith('holdfast_devices=')) this.devices = pair!;
      if (pair!.startsWith('holdfast_sso=')) this.login = pair!;
      if (pair!.startsWith('holdfast=')) this.cookie = pair === 'holdfast=' ? '' : pair!;
    }
    return response;
  }
}
