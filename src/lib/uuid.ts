/** UUIDs as the service writes them. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** UUIDs as others may write them. */
export const UUID_IN_ANY_CASE = new RegExp(UUID, 'i');
