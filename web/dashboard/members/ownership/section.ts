import { proven, type Section } from '../../shared/section.js';
import { ownershipFields, ownershipQuery, showOwnership, transferFromPage } from './ownership.js';

export const ownership: Section = [
  {
    path: '/ownership',
    capability: 'transfer_ownership',
    query: ownershipQuery,
    show: showOwnership,
    forms: [['', ownershipFields, proven(transferFromPage, { ownSignIn: true })]],
  },
];
