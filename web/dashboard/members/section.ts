import { proven, type Section } from '../shared/section.js';
import { importFields, importForm, showImport } from './import.js';
import { memberForms } from './member-forms.js';
import { showMember } from './member.js';
import { membersQuery, showMembers } from './members.js';
import { givesRole, inviteForm, newMemberFields, newMemberQuery, showNewMember } from './new-member.js';

export const members: Section = [
  { path: '/members', capability: 'read_others', query: membersQuery, show: showMembers },
  {
    path: '/members/new',
    capability: 'invite_members',
    query: newMemberQuery,
    show: showNewMember,
    forms: [['', newMemberFields, proven(inviteForm, { when: givesRole })]],
  },
  {
    path: '/members/import',
    capability: 'invite_members',
    show: showImport,
    forms: [['', importFields, importForm]],
  },
  // Every member can see and change themself; the operations check the rest.
  { path: '/members/:id', capability: 'read_own_profile', show: showMember, forms: memberForms },
];
