import { pricesPage } from './prices.js';
import { processorPage } from './processor.js';
import { settingsPages } from './settings.js';

export const settings = [...settingsPages, pricesPage, processorPage];
