import { launchBrowser } from '../support/chromium.js';
import { dashboardViews, isOfDashboard } from './dashboard-views.js';
import { mailViews } from './mail-views.js';
import { otherViews } from './other-views.js';
import { openPlaces } from './places.js';
import { listPageRoutes } from './routes.js';
import { nameView, type View } from './view.js';
import { openVisitors, type Visitors } from './visitors.js';

export interface Gallery {
  views: View[];
  visitors: Visitors;
}

/** Creates the workspaces, and lists every page and mail in its states. */
export async function openGallery(): Promise<Gallery> {
  const routes = listPageRoutes();
  const places = await openPlaces();
  const visitors = await openVisitors(await launchBrowser(), places);
  const of = (dashboard: boolean) => routes.filter((route) => isOfDashboard(route) === dashboard);
  // Pages that need a recent sign-in come first.
  const views = [
    ...(await otherViews(of(false), places, visitors)),
    ...dashboardViews(of(true), places),
    ...(await mailViews()),
  ];
  return { views, visitors };
}

/** The views whose page or state contains one of the texts; all without texts. */
export const chooseViews = (views: readonly View[], only: readonly string[]): View[] =>
  views.filter((view) => only.length === 0 || only.some((text) => nameView(view).includes(text)));
