import type { Page } from 'playwright-core';
import { dev } from '../../support/stack.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';

export const at = (path: string): string => dev.baseUrl + path;

export async function newOwner() {
  const email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email: email });
  return { email, workspace };
}

export const sessionCookie = async (page: Page): Promise<string | undefined> =>
  (await page.context().cookies()).find(({ name }) => name === 'holdfast')?.value;

/** Submits a form as a browser would. */
export const send = (
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(at(path), {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: dev.baseUrl, ...headers },
    redirect: 'manual',
  });
