import { importPage } from './import.js';
import { memberPage } from './member.js';
import { membersPage } from './members.js';
import { newMemberPage } from './new-member.js';

export const members = [membersPage, newMemberPage, importPage, memberPage];
