import Router, { type Layer } from '@koa/router';

const isRoute = ({ methods }: Layer): boolean => methods.length > 0;
/**
 * How specific the path of a route is: 2 without parameters, 1 for ids with a file extension, 0 for any ids.
 */
const exactness = ({ path, paramNames }: Layer): number =>
  paramNames.length === 0 ? 2 : /\.\w+$/.test(String(path)) ? 1 : 0;

/**
 * A case-sensitive router. By default, `/V1/Bookings` would reach the handler of `/v1/bookings` and evade
 * everything that compares paths: the calendar bucket here, and the rules of a proxy in front. If several
 * routes match a path, only the most specific ones count: `/v1/api-keys/rotate` does not have the methods of
 * `/v1/api-keys/:id`, nor `/v1/invoices/inv_1.pdf` those of `/v1/invoices/:id`.
 */
class ExactRouter extends Router {
  constructor() {
    super({ sensitive: true });
  }

  override match(path: string, method: string): ReturnType<Router['match']> {
    const matched = super.match(path, method);
    const most = Math.max(...matched.path.filter(isRoute).map(exactness));
    const counts = (layer: Layer): boolean => !isRoute(layer) || exactness(layer) === most;
    const pathAndMethod = matched.pathAndMethod.filter(counts);
    return { path: matched.path.filter(counts), pathAndMethod, route: pathAndMethod.some(isRoute) };
  }
}

export const newRouter = (): Router => new ExactRouter();
