import type { Page } from 'playwright-core';

/** Who looks at a page: a session of a person, or a browser that prefers a language without one. */
export type VisitorName =
  | 'nobody'
  | 'german'
  | 'owner of empty'
  | 'owner of one'
  | 'owner of many'
  | 'member of many'
  | 'person before a code'
  | 'person without a factor'
  | 'person from a provider'
  | 'admin from a provider';

/** A page in one of its states. */
export interface View {
  /** The route that it shows, or the kind of mail. */
  page: string;
  /** What distinguishes it from other views of the page, such as `empty` or `form rejected`. */
  state: string;
  visitor: VisitorName;
  /** The path with its ids, or a whole address. */
  address: string;
  /** The expected status, 200 unless it shows an error. */
  status?: number;
  /** A page's HTML that is shown instead of an address. */
  html?: string;
  /** Widths at which it is looked at besides those of all views. */
  alsoAt?: readonly number[];
  /** What is done on the page before it is looked at. */
  prepare?: (page: Page) => Promise<unknown>;
}

export const nameView = ({ page, state }: View): string => `${page}, ${state}`;

/** Fills a page's own form with what no field accepts, and sends it past the browser's checks. */
export async function sendWrongly(page: Page): Promise<void> {
  const sent = await page.evaluate(() => {
    const own = [...document.querySelectorAll<HTMLFormElement>('main form')].find(
      (form) => form.method === 'post' && new URL(form.action).pathname === location.pathname,
    );
    if (!own) return false;
    for (const field of own.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      if (['hidden', 'checkbox', 'radio', 'file', 'submit'].includes(field.type)) continue;
      if (field.type !== 'text' && field instanceof HTMLInputElement) field.type = 'text';
      field.value = field.required ? '' : field.type === 'textarea' ? '' : '\u0001';
    }
    // Not by a click: scripts of the page would stop it, or send it themselves.
    HTMLFormElement.prototype.submit.call(own);
    return true;
  });
  if (!sent) throw new Error('the page has no form that is sent to its own path');
  await page.locator('[role=alert]').first().waitFor();
}
