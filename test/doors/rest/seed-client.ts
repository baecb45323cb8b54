/**
 * The client of the Agent Tools seed (`eventSource.addEventListener('tool.approval_request', …)` and the two `fetch` calls),
 * in our own words and with the same requests: no content type, the bodies of the seed, the path by template. What the seed
 * leaves to the page are `projectId`, `showApprovalDialog` and, here, where answers are written down.
 */
export const SEED_CLIENT = `
const eventSource = new EventSource('/my/projects/' + projectId + '/chat/stream');
eventSource.addEventListener('tool.approval_request', (event) => {
  const data = JSON.parse(event.data);
  const { approval_id, tool_name, risk_level, timeout_seconds } = data;
  const approved = showApprovalDialog(tool_name, risk_level, timeout_seconds);
  if (approved) {
    fetch('/my/projects/' + projectId + '/approvals/' + approval_id + '/approve', {
      method: 'POST',
      body: JSON.stringify({ decision: 'approved' }),
    });
  } else {
    fetch('/my/projects/' + projectId + '/approvals/' + approval_id + '/reject', {
      method: 'POST',
      body: JSON.stringify({ reason: 'User declined' }),
    });
  }
});
`;
