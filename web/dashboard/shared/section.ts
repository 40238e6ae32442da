import type Router from '@koa/router';
import type joi from 'joi';
import type { Capability } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route, type Handler } from '../../../api/http/context.js';
import { typed } from '../../../api/http/typed.js';
import { validQuery } from '../../../api/http/validate.js';
import { browser, pageForm, signedIn } from '../../ui/browser.js';
import { redisplayOnError } from './rejection.js';
import { inWorkspace, requiresCapability } from './workspace.js';

export type Page = (deps: ApiDependencies) => Handler;

/** A form of a page: its path after the page's, its fields, what it does, and the capability that it needs. */
export type FormRoute = [
  path: string,
  fields: Record<string, joi.Schema>,
  action: Page,
  capability?: Capability,
];

interface PageRoute {
  /** Its path after the workspace's. */
  path: string;
  /** What a role needs to see it and submit its forms; every member may without one. */
  capability?: Capability;
  query?: joi.Schema;
  show: Page;
  forms?: FormRoute[];
}

/** Pages of the dashboard that belong together. */
export type Section = PageRoute[];

/** Adds pages and their forms to a router. A rejected form is shown again with its page. */
export function addSection(router: Router, deps: ApiDependencies, section: Section): void {
  const page = browser(deps);
  const member = inWorkspace(deps);
  const requires = (capability?: Capability) => (capability ? [requiresCapability(capability)] : []);
  for (const { path, capability, query, show, forms = [] } of section) {
    const at = `/dashboard/:workspace${path}`;
    const can = requires(capability);
    router.get(
      at,
      ...route(page, signedIn, member, ...can, ...(query ? [validQuery(typed(query))] : []), show(deps)),
    );
    for (const [path, fields, action, own] of forms)
      router.post(
        at + path,
        ...route(
          page,
          signedIn,
          member,
          ...can,
          ...requires(own),
          ...(query ? [validQuery(typed(query))] : []),
          redisplayOnError(deps, show(deps)),
          pageForm(fields),
          action(deps),
        ),
      );
  }
}
