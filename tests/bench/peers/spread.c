/* The least that a fan-out does: sends a line to everybody who is connected when somebody writes.
 *
 * spread PATH SIZE: the line has SIZE bytes and begins with what was written.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { CLIENTS = 4096 };

int main(int count, char **words)
{
    static int clients[CLIENTS];
    static char line[1 << 16];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), poll = epoll_create1(0), connected = 0;
    struct epoll_event readable = {.events = EPOLLIN, .data.fd = listener};
    long size = count == 3 ? atol(words[2]) : 0;
    if (size < 1 || size > (long)sizeof line)
        return 2;
    strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 128))
        return 1;
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &readable);
    while (epoll_wait(poll, &readable, 1, -1) == 1) {
        int sock = readable.data.fd;
        if (sock == listener && connected < CLIENTS) {
            readable.data.fd = clients[connected++] = accept(listener, NULL, NULL);
            epoll_ctl(poll, EPOLL_CTL_ADD, readable.data.fd, &readable);
            continue;
        }
        memset(line, ' ', size);
        if (recv(sock, line, size, 0) <= 0) {
            epoll_ctl(poll, EPOLL_CTL_DEL, sock, NULL);
            continue;
        }
        *(char *)memchr(line, '\n', size) = ' ';
        line[size - 1] = '\n';
        for (int i = 0; i < connected; i++)
            send(clients[i], line, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    return 1;
}
