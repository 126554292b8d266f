-- A notification of a moderator's action refers to the action's position, and no longer to a number in the read model.
-- All notifications are filled again from the read models, with numbers from 1 on; what was read is forgotten.

delete from vault.inbox;
delete from vault.inbox_captures;
delete from vault.inboxes;
delete from vault.notifications_read;

alter table vault.inbox alter column review type bigint;
