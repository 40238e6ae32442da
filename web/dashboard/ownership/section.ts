import { proven, type Section } from '../shared/section.js';
import { ownershipFields, showOwnership, transferFromPage } from './ownership.js';

export const ownership: Section = [
  {
    path: '/ownership',
    capability: 'transfer_ownership',
    show: showOwnership,
    forms: [['', ownershipFields, proven(transferFromPage)]],
  },
];
