import Router, { type Layer } from '@koa/router';

const isRoute = ({ methods }: Layer): boolean => methods.length > 0;
/** How exactly a route says its path: 2 for only itself, 1 for ids with a file's ending, 0 for any ids. */
const exactness = ({ path, paramNames }: Layer): number =>
  paramNames.length === 0 ? 2 : /\.\w+$/.test(String(path)) ? 1 : 0;

/**
 * A router that distinguishes upper and lower case. By default `/V1/Bookings` would reach the handler of
 * `/v1/bookings` and pass everything that compares paths: the calendar bucket here, the rules of a proxy
 * in front. Of the routes that match a path only the most exact count: `/v1/api-keys/rotate` does not have
 * the methods of `/v1/api-keys/:id`, and `/v1/invoices/inv_1.pdf` not those of `/v1/invoices/:id`.
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
