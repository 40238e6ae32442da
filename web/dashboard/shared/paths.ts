import type { ApiContext } from '../../../api/http/context.js';

/** The path of a page of the current workspace. */
export const pathIn = (ctx: ApiContext, path: string): string =>
  `/dashboard/${ctx.state.membership!.workspace_id}${path}`;
