import type joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { clientAddress } from '../../../api/http/client.js';
import type { ApiContext, BrowserSession } from '../../../api/http/context.js';
import type { Input, Reply, Route } from '../../../api/http/operation.js';
import type { Membership } from '../../../db/queries/members/membership.js';
import type { Capability, Principal } from '../../../domain/policies.js';
import type { Tab } from '../shared/layout.js';
import { pathIn } from '../shared/paths.js';
import { showSection, type Shown } from '../shared/workspace.js';
import type { Form } from './form.js';

export interface PageRequest {
  ctx: ApiContext;
  caller: Principal;
  membership: Membership;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
}

/** Thrown to redirect to another page: its path after the workspace's, or its URL. */
export class Elsewhere extends Error {
  constructor(readonly page: string) {
    super(page);
  }
}

export interface PageProps<Data> {
  ctx: ApiContext;
  /** Its path after the workspace's, with its ids. */
  at: string;
  data: Data;
}

/**
 * A file in place of a page: a PDF or an export, which costs more than a page
 * (docs/rules/api.md#rate-limits).
 */
export interface FilePage {
  path: string;
  capability: Capability;
  query?: joi.Schema;
  file(request: PageRequest, deps: ApiDependencies): Promise<Reply>;
}

/** A page. `Found`: the part of its data that its forms need. */
export interface Page<Data extends Found, Found = Data> {
  /** Its path after the workspace's: `/discounts/:id`. */
  path: string;
  /** The navigation entry that it belongs to, if that is not the beginning of its path. */
  at?: string | ((membership: Membership) => string);
  /** Required to see the page. Its forms need what their operations need. */
  capability?: Capability;
  query?: joi.Schema;
  /** Concurrent requests per workspace. */
  concurrent?: number;
  title: string | ((data: Data, ctx: ApiContext) => string);
  /** The pages about the same object, of which it is one. */
  tabs?: (page: PageProps<Data>) => readonly Tab[] | undefined;
  /** Its main action, beside its title. */
  primary?: (page: PageProps<Data>) => ComponentChildren;
  assets?: (data: Data) => Pick<Shown, 'css' | 'script'>;
  /** Reads what its forms need, if that is less than what it shows. Errors: 404. */
  find?(request: PageRequest, deps: ApiDependencies): Promise<Found>;
  /** Reads what it shows. Errors: 404; throws `Elsewhere` to redirect to another page. */
  load(request: PageRequest, deps: ApiDependencies): Promise<Data>;
  view(page: PageProps<Data>): ComponentChildren;
  forms?: readonly Form<Found>[];
}

/** What a page runs for its caller: an operation, or an action with their session. */
export interface Runs<R extends Route, Body, Query, Result> {
  run(
    input: Input<R, Body, Query> & { session: BrowserSession },
    caller: Principal,
    deps: ApiDependencies,
  ): Promise<Result>;
}

/** Runs an operation for the caller of a page, with the ids of the page's path unless `input` has others. */
export const run = <R extends Route, Body, Query, Result>(
  operation: Runs<R, Body, Query, Result>,
  input: Partial<Input<R, Body, Query>>,
  { ctx }: Pick<PageRequest, 'ctx'>,
  deps: ApiDependencies,
): Promise<Result> =>
  operation.run(
    {
      params: ctx.params,
      file: null,
      client: { address: clientAddress(ctx), token: null },
      idempotency: null,
      version: null,
      spend: async () => {},
      session: ctx.state.session!,
      ...input,
    } as Input<R, Body, Query> & { session: BrowserSession },
    ctx.state.principal,
    deps,
  );

export const page = <Data extends Found, Found = Data>(declared: Page<Data, Found>): Page<unknown> =>
  declared as Page<unknown>;

/** The path of a page with the ids of a request. */
export const pathOfPage = ({ path }: Pick<Page<unknown>, 'path'>, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name]!);

export const navigationPath = (
  { path, at }: Pick<Page<unknown>, 'path' | 'at'>,
  { state }: ApiContext,
): string => (typeof at === 'function' ? at(state.membership!) : (at ?? path.split('/:')[0]!));

const pageRequest = (ctx: ApiContext): PageRequest => ({
  ctx,
  caller: ctx.state.principal,
  membership: ctx.state.membership!,
  params: ctx.params,
  query: (ctx.state.query ?? {}) as PageRequest['query'],
});

/** Reads what the forms of a page need. */
export const findFor = (declared: Page<unknown>, ctx: ApiContext, deps: ApiDependencies): Promise<unknown> =>
  (declared.find ?? declared.load)(pageRequest(ctx), deps);

export async function sendFile({ file }: FilePage, ctx: ApiContext, deps: ApiDependencies): Promise<void> {
  const { headers = {}, body } = await file(pageRequest(ctx), deps);
  ctx.body = body;
  ctx.set(headers);
}

export async function showPage(
  declared: Page<unknown>,
  ctx: ApiContext,
  deps: ApiDependencies,
): Promise<void> {
  const { title, view, assets, primary, tabs } = declared;
  let data: unknown;
  try {
    data = await declared.load(pageRequest(ctx), deps);
  } catch (error) {
    if (error instanceof Elsewhere)
      return ctx.redirect(URL.canParse(error.page) ? error.page : pathIn(ctx, error.page));
    throw error;
  }
  const page = { ctx, at: pathOfPage(declared, ctx.params), data };
  showSection(ctx, {
    title: typeof title === 'string' ? title : title(data, ctx),
    at: navigationPath(declared, ctx),
    primary: primary?.(page),
    tabs: tabs?.(page),
    ...assets?.(data),
    children: view(page),
  });
}
