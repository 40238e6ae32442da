import { pricesPage } from './prices.js';
import { processorPage } from './processor.js';
import { settingsPage } from './settings.js';

export const settings = [settingsPage, pricesPage, processorPage];
