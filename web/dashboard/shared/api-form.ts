import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { emptyBody } from '../../../api/http/fields.js';
import type { Typed } from '../../../api/http/typed.js';
import { validate } from '../../../api/http/validate.js';
import { ReturnedToForm, showConfirmation, type Confirmation } from './confirmation.js';
import { formIdempotencyKey } from './form.js';
import { redirectWithNotice } from './notice.js';

/** The hidden fields of a form: the id of a form that takes effect once, and whether it was confirmed. */
export const hiddenFields = { form_id: joi.string().max(100), confirmed: joi.valid('yes', 'no') };

/** An operation of the API as a form calls it. */
export interface Operation<Fields = unknown, Response = unknown> {
  /**
   * The handler of the API's operation. It finds its object by the path's parameters,
   * which have the same names.
   */
  handler: (deps: ApiDependencies) => Handler<never>;
  /** The schema of the operation's body; without one it takes no fields. */
  schema?: Typed<unknown>;
  /** The operation's JSON body for the submitted form. */
  body?: (form: Fields, ctx: ApiContext, deps: ApiDependencies) => unknown;
  /** What the form is about to do, shown before it is done; null if nothing needs to be confirmed. */
  confirm?: (form: Fields, ctx: ApiContext, deps: ApiDependencies) => Promise<Confirmation | null>;
  /** What was done, for a banner on the next page. */
  notice: (response: Response, ctx: ApiContext, form: Fields) => string;
  /** The next page, as a path after the workspace's. */
  to: (ctx: ApiContext, response: Response) => string;
}

/** The path of a page of the current workspace. */
export const pathIn = (ctx: ApiContext, path: string): string =>
  `/dashboard/${ctx.state.membership!.workspace_id}${path}`;

/**
 * A form that calls an operation of the API: with the same validation, handler and idempotency as a request
 * to it. Afterwards it redirects to a page with a banner.
 */
export function apiForm<Fields = unknown, Response = unknown>(
  operation: Operation<Fields, Response>,
): (deps: ApiDependencies) => Handler {
  const { schema = emptyBody, body = () => ({}), confirm, notice, to } = operation;
  return (deps) => {
    const handle = operation.handler(deps);
    return async (ctx) => {
      const form = ctx.state.body as Fields & { form_id?: string; confirmed?: 'yes' | 'no' };
      if (form.confirmed === 'no') throw new ReturnedToForm();
      if (form.form_id) ctx.state.idempotency = formIdempotencyKey(ctx);
      ctx.state.body = validate(schema, await body(form, ctx, deps), false);
      const confirmation = confirm && !form.confirmed ? await confirm(form, ctx, deps) : null;
      if (confirmation) return showConfirmation(ctx, confirmation);
      await handle(ctx as ApiContext<never>, async () => {});
      const response = ctx.body as Response;
      redirectWithNotice(ctx, pathIn(ctx, to(ctx, response)), notice(response, ctx, form));
    };
  };
}
