/** What is wrong with a form as a whole. */
import { Alert } from '@mantine/core';

export const FormError = ({ message }: { message: string }) => (
  <Alert variant="light" color="red" role="alert" p="xs">
    {message}
  </Alert>
);
