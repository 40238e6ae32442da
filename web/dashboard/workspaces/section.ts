import { proven, type Section } from '../shared/section.js';
import { priceForms, showPrices } from './prices.js';
import { onboardFromPage, showProcessor } from './processor.js';
import { settingsForms } from './settings-forms.js';
import { showSettings } from './settings.js';

export const settings: Section = [
  { path: '/settings', capability: 'write_workspace', show: showSettings, forms: settingsForms },
  { path: '/prices', capability: 'write_workspace', show: showPrices, forms: priceForms },
  {
    path: '/processor',
    capability: 'write_workspace',
    show: showProcessor,
    forms: [['/onboarding', {}, proven(onboardFromPage, { ownSignIn: true })]],
  },
];
