import type { ApiContext } from '../../../api/http/context.js';

export const pathIn = (ctx: ApiContext, path: string): string =>
  `/dashboard/${ctx.state.membership!.workspace_id}${path}`;
