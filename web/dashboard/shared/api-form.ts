import joi from 'joi';
import type { ApiContext } from '../../../api/http/context.js';

/** The hidden fields of a form: the id of a form that takes effect once, and whether it was confirmed. */
export const hiddenFields = { form_id: joi.string().max(100), confirmed: joi.valid('yes', 'no') };

/** The path of a page of the current workspace. */
export const pathIn = (ctx: ApiContext, path: string): string =>
  `/dashboard/${ctx.state.membership!.workspace_id}${path}`;
