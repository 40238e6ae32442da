import { createRouter } from '../../api/app.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { createEncryption } from '../../db/encryption.js';
import { PAGES } from '../../web/routes.js';
import { db, dev } from '../support/stack.js';

/** Paths that return no page: files, redirects and what programs read. */
const NO_PAGES = [
  /\.(csv|pdf|ics|svg|js|json|txt)$/,
  /\/pdf$/,
  /^\/(v1|health|pictures|fonts)\b/,
  /^\/\.well-known\//,
  /^\/$/,
  // Redirects to the consent page; a view of that page begins there.
  /^\/oauth\/authorize\b/,
  /^\/sign-in\/go-on$/,
  // XML for an identity provider.
  /^\/sso\/:workspace\/metadata$/,
];

export interface PageRoute {
  path: string;
  /** Whether a form is sent to the same path. */
  hasForm: boolean;
}

/** The routes of all pages, from the declarations that the service serves. */
export function listPageRoutes(): PageRoute[] {
  const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
  const deps = { db, encryption, publicUrl: dev.baseUrl } as ApiDependencies;
  const { stack } = createRouter(deps, PAGES);
  const withMethod = (method: string): string[] =>
    stack.filter(({ methods }) => methods.includes(method)).map(({ path }) => String(path));
  const posts = new Set(withMethod('POST'));
  return withMethod('GET')
    .filter((path) => !NO_PAGES.some((pattern) => pattern.test(path)))
    .map((path) => ({ path, hasForm: posts.has(path) }));
}
