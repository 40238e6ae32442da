import type Router from '@koa/router';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { limitConcurrent, MAX_DOCUMENTS, UPLOADING } from '../../../api/http/concurrency.js';
import { route, type Handler } from '../../../api/http/context.js';
import { typed } from '../../../api/http/typed.js';
import { validQuery } from '../../../api/http/validate.js';
import { browser, countDocument, pageForm, signedInAnyhow } from '../../ui/browser.js';
import { ownCodeFields, proofFields, requiresProof, type AskForProof } from '../../sign-in/proof.js';
import {
  findFor,
  navigationPath,
  pathOfPage,
  sendFile,
  showPage,
  type FilePage,
  type Page,
} from '../forms/page.js';
import { redisplayOnError } from './rejection.js';
import { inWorkspace, requiresCapability, showSection } from './workspace.js';

export type Section = (Page<unknown> | FilePage)[];

/** Asks for a proof within the dashboard. Going back shows the form as submitted. */
const askIn =
  (at: string): AskForProof =>
  (ctx, status, title, children) =>
    showSection(ctx, { title, at, passkeys: true, children }, status);

/** Adds pages and their forms to a router. A rejected form is shown again with its page. */
export function addSection(router: Router, deps: ApiDependencies, section: Section): void {
  for (const one of section) {
    const { path, capability, query } = one;
    const at = `/dashboard/:workspace${path}`;
    const seen = [
      browser(deps),
      signedInAnyhow,
      inWorkspace(deps),
      ...(capability ? [requiresCapability(capability)] : []),
      ...(query ? [validQuery(typed(query))] : []),
    ];
    if ('file' in one) {
      const bounds = [countDocument(deps), limitConcurrent(undefined, MAX_DOCUMENTS)];
      router.get(at, ...route(...seen, ...bounds, (ctx) => sendFile(one, ctx, deps)));
    } else addPage(router, deps, one, at, seen);
  }
}

/** Adds a page and its forms. `seen`: decides who sees the page. */
function addPage(
  router: Router,
  deps: ApiDependencies,
  declared: Page<unknown>,
  at: string,
  seen: Handler[],
): void {
  const { concurrent, forms = [] } = declared;
  const show: Handler = (ctx) => showPage(declared, ctx, deps);
  router.get(at, ...route(...seen, ...(concurrent ? [limitConcurrent(undefined, concurrent)] : []), show));
  for (const form of forms)
    router.post(
      at + form.path,
      ...route(
        ...seen,
        ...form.capabilities.map(requiresCapability),
        redisplayOnError(deps, show, form),
        ...(form.concurrent ? [limitConcurrent(undefined, form.concurrent)] : []),
        ...(form.maxFileBytes ? UPLOADING : []),
        pageForm({ ...form.fields, ...(form.needsProof && proofFields) }, form),
        async (ctx) => {
          const data = await findFor(declared, ctx, deps);
          const nav = navigationPath(declared, ctx);
          // Other forms, such as that of a discount code, also have a field of this name.
          const hasOwnCode = form.fields.code === ownCodeFields.code;
          const prove = requiresProof(deps, askIn(nav), hasOwnCode);
          await form.submit(ctx, deps, { at: pathOfPage(declared, ctx.params), nav, data }, prove);
        },
      ),
    );
}
