import Router from '@koa/router';

/**
 * A router that distinguishes upper and lower case. By default `/V1/Bookings` would reach the handler of `/v1/bookings`
 * and pass everything that compares paths: the calendar bucket here, the rules of a proxy in front.
 */
export const newRouter = (): Router => new Router({ sensitive: true });
