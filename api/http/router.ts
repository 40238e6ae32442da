import Router, { type Layer } from '@koa/router';

/** True for a middleware, and for a route whose path is only itself. */
const isLiteral = ({ methods, paramNames }: Layer): boolean =>
  methods.length === 0 || paramNames.length === 0;
const isRoute = ({ methods }: Layer): boolean => methods.length > 0;

/**
 * A router that distinguishes upper and lower case. By default `/V1/Bookings` would reach the handler of
 * `/v1/bookings` and pass everything that compares paths: the calendar bucket here, the rules of a proxy
 * in front. Where a path is a route of its own, it is no id: `/v1/api-keys/rotate` does not have the
 * methods of `/v1/api-keys/:id`.
 */
class ExactRouter extends Router {
  constructor() {
    super({ sensitive: true });
  }

  override match(path: string, method: string): ReturnType<Router['match']> {
    const matched = super.match(path, method);
    if (!matched.path.some((layer) => isRoute(layer) && isLiteral(layer))) return matched;
    const pathAndMethod = matched.pathAndMethod.filter(isLiteral);
    return { path: matched.path.filter(isLiteral), pathAndMethod, route: pathAndMethod.some(isRoute) };
  }
}

export const newRouter = (): Router => new ExactRouter();
