import type { MoreRoutes } from '../api/app.js';
import { bookingRoutes } from './booking-page/routes.js';
import { consentRoutes } from './consent/routes.js';
import { dashboardRoutes } from './dashboard/routes.js';
import { payerRoutes } from './payer/routes.js';
import { referenceRoutes } from './reference/routes.js';
import { signInRoutes } from './sign-in/routes.js';
import { brandRoutes } from './ui/brand.js';
import { fontRoutes } from './ui/fonts.js';
import { pictureRoutes } from './ui/pictures.js';

export { unknownPages } from './ui/unknown-page.js';

/** All pages, registered here and nowhere else. */
export const PAGES: readonly MoreRoutes[] = [
  brandRoutes,
  fontRoutes,
  pictureRoutes,
  payerRoutes,
  bookingRoutes,
  signInRoutes,
  dashboardRoutes,
  consentRoutes,
  referenceRoutes,
];
