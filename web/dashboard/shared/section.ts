import type Router from '@koa/router';
import type joi from 'joi';
import type { Capability } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { limitConcurrent, MAX_DOCUMENTS, UPLOADING } from '../../../api/http/concurrency.js';
import { route, type ApiContext, type Handler } from '../../../api/http/context.js';
import { typed } from '../../../api/http/typed.js';
import { validQuery } from '../../../api/http/validate.js';
import { browser, countDocument, pageForm, signedInAnyhow } from '../../ui/browser.js';
import { ownCodeFields, proofFields, requiresProof, type AskForProof } from '../../sign-in/proof.js';
import {
  findFor,
  navOf,
  pathOfPage,
  sendFile,
  showPage,
  type FilePage,
  type Page as DeclaredPage,
} from '../forms/page.js';
import { asksForOwnSignIn, showOwnSignIn, type OwnSignInOf } from './own-sign-in.js';
import { redisplayOnError } from './rejection.js';
import { inWorkspace, requiresCapability, showSection } from './workspace.js';

export type Page = (deps: ApiDependencies) => Handler;

/**
 * A form of a page: its path after the page's, its fields, what it does, and the capability that it needs.
 */
export type FormRoute = [
  path: string,
  fields: Record<string, joi.Schema>,
  action: Page | Proven | WithFile,
  capability?: Capability,
];

/** Whether what was submitted needs a fresh proof of its person. */
type When = (ctx: ApiContext, deps: ApiDependencies) => Promise<boolean>;

interface ProofOptions {
  /** Always without it. */
  when?: When;
  /**
   * The owner, or whom it says, has to be signed in by themselves for it, not through the workspace's
   * provider (docs/rules/single-sign-on.md#what-it-opens).
   */
  ownSignIn?: OwnSignInOf<ApiContext>;
}

/** What a form does that needs a fresh proof of its person. */
export interface Proven extends ProofOptions {
  proven: Page;
}

/** A form with a file of at most so many bytes. */
export interface WithFile {
  maxFileBytes: number;
  page: Page;
}

/** Marks a form as one that needs a fresh proof of its person (docs/rules/credentials.md#fresh-proof). */
export const proven = (action: Page, options: ProofOptions = {}): Proven => ({ proven: action, ...options });

interface PageRoute {
  /** Its path after the workspace's. */
  path: string;
  /** What a role needs to see it and submit its forms; every member may without one. */
  capability?: Capability;
  query?: joi.Schema;
  show: Page;
  /** It is a PDF or an export, which costs more than a page (docs/rules/api.md#rate-limits). */
  isDocument?: true;
  forms?: FormRoute[];
}

/** Pages of the dashboard that belong together. */
export type Section = (PageRoute | DeclaredPage<unknown> | FilePage)[];

/** Adds a page that is declared, and its forms. */
function addPage(router: Router, deps: ApiDependencies, declared: DeclaredPage<unknown>): void {
  const { path, capability, query, forms = [] } = declared;
  const at = `/dashboard/:workspace${path}`;
  const seen = [
    browser(deps),
    signedInAnyhow,
    inWorkspace(deps),
    ...(capability ? [requiresCapability(capability)] : []),
    ...(query ? [validQuery(typed(query))] : []),
  ];
  const show: Handler = (ctx) => showPage(declared, ctx, deps);
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
          const nav = navOf(declared, ctx);
          const prove = requiresProof(deps, askIn(nav));
          await form.submit(ctx, deps, { at: pathOfPage(declared, ctx.params), nav, data }, prove);
        },
      ),
    );
}

/** Asks for a proof beside the navigation of a page. Who goes back finds its form as they submitted it. */
const askIn =
  (path: string): AskForProof =>
  (ctx, status, title, children) =>
    showSection(ctx, { title, at: path.split('/:')[0]!, passkeys: true, children }, status);

/** Requires the proof that a form needs. */
function requiresProofOf(
  { when = async () => true, ownSignIn }: Proven,
  deps: ApiDependencies,
  path: string,
  fields: Record<string, joi.Schema>,
): Handler {
  // Other forms have a field of this name too, such as that of a discount code.
  const hasOwnCode = fields.code === ownCodeFields.code;
  const prove = requiresProof(deps, askIn(path), hasOwnCode);
  return async (ctx, next) => {
    if (!(await when(ctx, deps))) return next();
    return asksForOwnSignIn(ctx, ownSignIn, ctx)
      ? showOwnSignIn(ctx, path.split('/:')[0]!)
      : prove(ctx, next);
  };
}

/** A page's forms that are not declared, as those of a page that is not. */
const others = (declared: DeclaredPage<unknown>): PageRoute => ({
  ...declared,
  show: (deps) => (ctx) => showPage(declared, ctx, deps),
  forms: declared.others as FormRoute[] | undefined,
});

/** A page as a route of Koa. */
function routeOf(one: Section[number]): PageRoute & { concurrent?: number } {
  if ('load' in one) return { ...others(one), concurrent: one.concurrent };
  if ('file' in one) return { ...one, isDocument: true, show: (deps) => (ctx) => sendFile(one, ctx, deps) };
  return one;
}

/** Adds pages and their forms to a router. A rejected form is shown again with its page. */
export function addSection(router: Router, deps: ApiDependencies, section: Section): void {
  const page = browser(deps);
  const member = inWorkspace(deps);
  const requires = (capability?: Capability) => (capability ? [requiresCapability(capability)] : []);
  for (const one of section) {
    if ('load' in one) addPage(router, deps, one);
    const { path, capability, query, show, isDocument, concurrent, forms = [] } = routeOf(one);
    const at = `/dashboard/:workspace${path}`;
    const can = requires(capability);
    const most = isDocument ? MAX_DOCUMENTS : concurrent;
    const bounds = [
      ...(isDocument ? [countDocument(deps)] : []),
      ...(most ? [limitConcurrent(undefined, most)] : []),
    ];
    router.get(
      at,
      ...route(
        page,
        signedInAnyhow,
        member,
        ...can,
        ...(query ? [validQuery(typed(query))] : []),
        ...bounds,
        show(deps),
      ),
    );
    for (const [of, fields, action, own] of forms)
      router.post(
        at + of,
        ...route(
          page,
          signedInAnyhow,
          member,
          ...can,
          ...requires(own),
          ...(query ? [validQuery(typed(query))] : []),
          redisplayOnError(deps, show(deps)),
          ...('proven' in action
            ? [
                pageForm({ ...fields, ...proofFields }),
                requiresProofOf(action, deps, path, fields),
                action.proven(deps),
              ]
            : 'page' in action
              ? [...UPLOADING, pageForm(fields, action), action.page(deps)]
              : [pageForm(fields), action(deps)]),
        ),
      );
  }
}
