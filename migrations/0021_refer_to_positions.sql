-- incompatible: older programs write numbers instead of positions.
--
-- A notification of a moderator's action refers to the action's position, and no longer to a number in the read model.
-- All notifications are filled again from the read models, with numbers from 1 on; what was read is forgotten.

lock table vault.inboxes, vault.inbox, vault.inbox_captures, vault.notifications_read in access exclusive mode;

delete from vault.inbox;
delete from vault.inbox_captures;
delete from vault.inboxes;
delete from vault.notifications_read;

alter table vault.inbox alter column review type bigint;
